"""Who is written to, and what a list on trial does: nothing to clean mail, and nothing to any mail."""
import email
import json

from processes import wait_until
from smtp import SmtpClient

CLEAN = b"From: a@sender.test\r\nSubject: x\r\n\r\nhttp://clean.example/\r\n"
RULES = """policy:
  recipients:
    "lists.example": { listed: { default: tag } }
    "boss@dest.example": { shadow: true }
    "strict@dest.example": { listed: { default: reject }, categories: { default: reject, tracking: reject } }
    ".below.example": { listed: { default: quarantine } }
    "deferred.example": { listed: { default: defer } }
    "passes.example": { listed: { default: pass } }
"""
EVERYBODY = ["postmaster@dest.example", "abuse@dest.example", "user@dest.example", "boss@dest.example", "strict@dest.example",
             "one@lists.example", "two@a.below.example", "three@deferred.example", "four@passes.example", "five@other.example"]
MIXES = [[EVERYBODY[i] for i in mix] for mix in (
    (0, 2), (0, 1), (2, 3), (2, 4), (2, 5), (5, 6), (6, 7), (7, 8), (0, 3, 5), (0, 2, 4, 6, 8), (1, 3, 5, 7, 9), range(10))]


def replies(gateway, recipients: list[str], message: bytes = CLEAN) -> list[str]:
    """To every recipient, and to the dot."""
    with SmtpClient(gateway.smtp) as client:
        said = [client.command(b"MAIL FROM:<a@sender.test>")]
        said += [client.command(b"RCPT TO:<%s>" % recipient.encode()) for recipient in recipients]
        client.command(b"DATA")
        return said + [client.command(message + b".")]


def test_clean_mail_to_any_mix_of_recipients_is_taken_at_once(home, expect):
    home.list_domains("listed.example")
    home.rebuild()
    home.write("config/bloomgate.yaml", RULES)
    gateway = home.gateway()
    for number, mix in enumerate(MIXES, 1):
        codes = [[reply[:3] for reply in replies(gateway, mix)] for _ in range(2)]
        expect(f"mix {number} of {len(mix)} recipients, twice: {sorted(set(sum(codes, [])))}",
               codes == [["250"] * (len(mix) + 2)] * 2)
    gateway.stop()


def test_a_list_on_trial_shows_everywhere_and_no_mail_feels_it(home, expect):
    home.write("sure.txt", "sure.example")
    home.write("tried.txt", "tried.example", "sure.example")
    home.feeds("name: sure, kind: domain, source: sure.txt, category: phishing",
               "name: tried, kind: domain, source: tried.txt, category: malware, shadow: true")
    home.rebuild()
    gateway = home.gateway()
    message = b"From: a@sender.test\r\nSubject: x\r\n\r\nhttp://tried.example/\r\n"
    expect("mail with what it lists is taken", [r[:3] for r in replies(gateway, EVERYBODY[2:3], message)] == ["250"] * 3)
    delivered = wait_until("the mail", lambda: [path for path in home.path("var", "mail", "new").iterdir()])[0].read_bytes()
    added = [name for name in email.message_from_bytes(delivered).keys() if name.startswith("X-Bloomgate-")]
    expect(f"it is delivered with no field on top but the trace: {added}",
           not added and delivered.endswith(message.replace(b"\r\n", b"\n")) or delivered.endswith(message))
    line = wait_until("the decision", lambda: home.run("decisions", "--json").stdout.strip())
    decision = json.loads(line)
    expect(f"the journal: action {decision['action']}, enforced {decision['enforced']}, would {decision['would']}",
           (decision["action"], decision["enforced"], decision["would"]) == ("pass", "pass", {"tried": "reject"}))
    counted = {name: value for name, value in gateway.metrics().items() if name.startswith("bloomgate_trial_messages_total{")}
    expect(f"the metric: {counted}", list(counted.values()) == [1.0] and 'feed="tried"' in next(iter(counted)))
    expect("what another list says counts as ever", gateway.mail(b"sure.example").startswith("550"))
    gateway.stop()
    rows = {row["feed"]: row for row in map(json.loads, home.run("feeds", "report", "--json").stdout.splitlines())}
    shown = {feed: (row["hits"], row["shadowHits"]) for feed, row in rows.items()}
    expect(f"the report: hits and those on trial {shown}", shown == {"sure": (1, 0), "tried": (2, 2)})
