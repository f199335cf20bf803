"""Celery: the app, thin tasks that call pbem, the schedule."""
