"""The web pages: server-rendered, of use without JavaScript, with nothing loaded from elsewhere."""

from pbem.web.app import create_app

__all__ = ["create_app"]
