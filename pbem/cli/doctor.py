"""`pbem doctor`."""

from collections.abc import Callable, Mapping

import click

from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show
from pbem.cli.words import _
from pbem.doctor import MEND, OK, UNKNOWN, Finding, examine
from pbem.persontext import escaped_line

_Say = Callable[[str], str]


def _texts(_: _Say) -> Mapping[str, str]:
    return {
        "listens": _("The service takes mail at %(where)s."),
        "another_listens": _("At %(where)s something else listens (%(said)s): let PBEM_MAIL_PORT name another port."),
        "port_taken": _(
            "At %(where)s nothing can listen (%(problem)s): let PBEM_MAIL_HOST and PBEM_MAIL_PORT name another place."
        ),
        "nobody_listens": _("Nothing listens at %(where)s, though it could: start the service with `pbem up`."),
        "socket_silent": _("Nothing listens on the socket %(where)s: start the service with `pbem up`."),
        "mailbox_idles": _("The mailbox %(folder)s at %(host)s is open, and tells of mail at once."),
        "mailbox_polled": _("The mailbox %(folder)s at %(host)s is open; we look into it every %(seconds)s seconds."),
        "mailbox_shut": _(
            "The mailbox %(folder)s at %(host)s can't be opened (%(kind)s): see the PBEM_IMAP settings; many providers"
            " want a password made for programs."
        ),
        "sends_nothing": _("Letters are put into %(folder)s and are not sent."),
        "sends": _("Letters go out through %(where)s."),
        "sends_in_the_clear": _(
            "Letters go out through %(where)s, over a connection that anybody can read: set PBEM_SMTP_TLS."
        ),
        "server_away": _(
            "%(where)s does not let us in (%(kind)s): see the PBEM_SMTP settings, and whether its certificate is good."
        ),
        "program_not_started": _(
            "The program %(where)s can't be started (%(kind)s), so no letter goes out: see whether it is there and this"
            " user may run it, and PBEM_SENDMAIL."
        ),
        "loop_closed": _("A mail to our own address %(to)s came back with its token."),
        "loop_refused": _("A mail to our own address %(to)s was not taken (%(said)s)."),
        "loop_lost": _(
            "A mail to our own address %(to)s did not come back in %(seconds)s seconds: does the service run, and does"
            " the mail of the domain go to it?"
        ),
        "token_lost": _(
            "A mail to our own address %(to)s came back without its token: let the server before us keep what stands"
            " behind the + (Postfix: recipient_delimiter)."
        ),
        "domain_is_local": _("%(domain)s is no name that the world knows: nothing was asked of DNS."),
        "dns_silent": _("DNS does not answer (%(kind)s): what it says of %(domain)s is not known."),
        "mx": _("DNS says where mail for %(domain)s goes."),
        "mx_missing": _("DNS has no MX record for %(domain)s: answers to our letters find no way."),
        "spf": _("There is an SPF record for %(domain)s."),
        "spf_missing": _(
            "There is no SPF record for %(domain)s: add a TXT record such as `v=spf1 mx -all` that names the servers"
            " which send for it."
        ),
        "spf_twice": _("There are several SPF records for %(domain)s: none of them counts. Make them one."),
        "dmarc": _("There is a DMARC record for %(domain)s."),
        "dmarc_missing": _(
            "There is no DMARC record: add a TXT record at _dmarc.%(domain)s such as `v=DMARC1; p=none`."
        ),
        "dkim": _("Letters are signed for %(domain)s, and DNS has the key at %(name)s."),
        "dkim_no_key": _("Letters are signed for %(domain)s, but DNS has no key at %(name)s: publish it there."),
        "dkim_missing": _(
            "The mail that came back was not signed for %(domain)s: let your mail server sign with DKIM. (What stays on"
            " this machine may be signed only on its way out.)"
        ),
        "dkim_untried": _("Whether letters are signed with DKIM is not known: no mail came back."),
    }  # fmt: skip


def said(finding: Finding) -> str:
    """A finding as a sentence. Raises KeyError for a code that has no words."""
    return _(_texts(lambda message: message)[finding.code]) % finding.params


def codes() -> frozenset[str]:
    """The codes that have words."""
    return frozenset(_texts(lambda message: message))


@click.command(
    "doctor", help=_("Try the mail configuration for real, and say what to mend. Ends with 1 where there is something.")
)
@click.option(
    "--seconds", type=click.FloatRange(1, 3600), default=60, help=_("How long a mail to itself is waited for.")
)
@as_json
def doctor(seconds: float, as_json: bool) -> None:
    """Try the mail configuration."""
    states = {OK: _("ok"), MEND: _("mend"), UNKNOWN: _("not known")}
    found: list[Finding] = []
    with opened() as service:
        for finding in examine(service, seconds):
            found.append(finding)
            if not as_json:
                click.echo(f"{states[finding.state]}: {escaped_line(said(finding))}")
    if as_json:
        rows = [{"code": each.code, "state": each.state, "said": said(each)} for each in found]
        show(rows, {"code": _("check"), "state": _("state"), "said": _("what was found")}, as_json)
    if any(each.state == MEND for each in found):
        raise SystemExit(1)
