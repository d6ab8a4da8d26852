"""Lists that exist only in DNS, with bits and codes in their answers: our findings beside rspamd's and SpamAssassin's."""
import random
import subprocess
from pathlib import Path

import pytest

from packages import program
from processes import free_port, wait_until
from product import Home, mail_with_link
from test_filters import SENDER, SPAMASSASSIN, Rspamd

BITS = {"phishing": 8, "malware": 16, "spam": 64, "abused": 128}
CODES = {"spam": ["127.0.1.2"], "phishing": ["127.0.1.4", "127.0.1.5"], "abused": [f"127.0.1.{n}" for n in range(102, 107)]}
HEAD = ("$SOA 60 ns.{0} admin.{0} 0 600 300 86400 60", "$NS 60 ns.{0}", "$TTL 60", ":127.0.0.2:listed", "test :{1}:")
NAMES = 1000
FEEDS = ("name: bits, kind: domain, category: spam, source: 'dns:bits.test', budget: 1s, bits: { 8: phishing, 16: malware, 64: spam, 128: abused }",
         "name: codes, kind: domain, category: spam, source: 'dns:codes.test', budget: 1s, "
         "answers: { 127.0.1.2: spam, 127.0.1.4-5: phishing, 127.0.1.102-106: abused }",
         "name: other, kind: domain, format: lines, category: tracking, source: other.txt")  # so that there is a snapshot
# One process for all messages: each start would take longer than all of their questions.
PERL = """
use Mail::SpamAssassin;
my $sa = Mail::SpamAssassin->new({ rules_filename => $ARGV[0], site_rules_filename => "$ARGV[0]/none", userprefs_filename => "/dev/null",
                                   dont_copy_prefs => 1, local_tests_only => 0, home_dir_for_helpers => $ARGV[0] });
for my $file (@ARGV[1 .. $#ARGV]) {
  open(my $in, "<", $file) or die $!;
  my $mail = $sa->parse([<$in>]);
  my $status = $sa->check($mail);
  print $status->get_names_of_tests_hit(), "\\n";
  $status->finish(); $mail->finish();
}
"""


def answers(seed: int) -> dict[str, tuple[int, str]]:
    """By name the sum of the bits, with bits that mean nothing, and the code; 0 and "" where it is not listed."""
    drawn = random.Random(seed)
    codes = [code for listed in CODES.values() for code in listed] + ["127.0.1.9", "127.0.1.107"]
    return {f"n{n}.example": (sum(bit for bit in (*BITS.values(), 2, 32) if drawn.random() < 0.2), drawn.choice(["", "", *codes]))
            for n in range(NAMES)}


def expected(bits: int, code: str) -> set[str]:
    return {f"bits-{category}" for category, bit in BITS.items() if bits & bit} | {f"codes-{category}" for category, of in CODES.items() if code in of}


@pytest.fixture
def drawn(launcher, open_folder, processes):
    home, names = Home(launcher, open_folder, processes), answers(20261127)
    home.write("bits.dnset", *(line.format("bits.test", "127.0.0.8") for line in HEAD),
               *(f"{name} :127.0.0.{bits}:" for name, (bits, _) in names.items() if bits))
    home.write("codes.dnset", *(line.format("codes.test", "127.0.1.2") for line in HEAD),
               *(f"{name} :{code}:" for name, (_, code) in names.items() if code))
    port = free_port()
    home.processes.start_silent(program("rbldnsd"), "-n", "-u", "nobody", "-b", f"127.0.0.1/{port}", "-c", "0", "-w", home.folder,
                                "bits.test:dnset:bits.dnset", "codes.test:dnset:codes.dnset")
    return home, names, port


def symbols(found: set[str]) -> set[str]:
    """`B_PHISHING` as `bits-phishing`."""
    prefixes = {"B_": "bits-", "C_": "codes-"}
    return {prefixes[name[:2]] + name[2:].lower() for name in found if name[:2] in prefixes}


@pytest.mark.needs("rbldnsd", "rspamd", "spamassassin")
@pytest.mark.needs_root
def test_bits_and_codes_mean_what_they_mean_to_others(drawn, expect, monkeypatch):
    home, names, port = drawn
    home.write("other.txt", "other.example")
    home.feeds(*FEEDS)
    home.configure(f'exact: {{ dns: {{ resolvers: ["127.0.0.1:{port}"] }} }}')
    home.run("rebuild", "--all", status=0)
    gateway = home.gateway()
    wait_until("both zones are trusted", lambda: gateway.get("/metrics").count('bloomgate_zone_trusted{') == 2
               and gateway.metric("bloomgate_zone_trusted") == 2)
    ours = {}
    for name in names:
        result, = gateway.checked(("domain", name))
        ours[name] = {f"{listing['feed']}-{listing['category']}" for listing in result["listings"]}
    wrong = [(name, ours[name], answer) for name, answer in names.items() if ours[name] != expected(*answer)]
    expect(f"{len(names)} names have the findings of their answers, wrong {wrong[:3]}", not wrong)

    bits = " ".join(f"B_{category.upper()} = {bit};" for category, bit in BITS.items())
    codes = " ".join(f"C_{category.upper()} = {of};".replace("'", '"') for category, of in CODES.items())
    rules = (f'rbls {{ bits {{ symbol = "X_BITS"; rbl = "bits.test"; checks = ["urls"]; returnbits {{ {bits} }} }} '
             f'codes {{ symbol = "X_CODES"; rbl = "codes.test"; checks = ["urls"]; returncodes {{ {codes} }} }} }}')
    monkeypatch.setattr("test_filters.documented", lambda heading: [rules, ""])
    rspamd = Rspamd(home, port)
    theirs = {name: symbols(set(rspamd.scan(SENDER + mail_with_link(name.encode()))["symbols"])) for name in names}
    other = [(name, ours[name], theirs[name]) for name in names if ours[name] != theirs[name]]
    expect(f"rspamd finds the same, otherwise {other[:3]}", not other)

    folder = home.path("spamassassin")
    (folder / "none").mkdir(parents=True)
    lines = [f"urirhssub B_{category.upper()} bits.test. A {bit}" for category, bit in BITS.items()]
    lines += [f"urirhssub C_{category.upper()} codes.test. A {of[0]}-{of[-1]}" for category, of in CODES.items()]
    lines += [f"body {name} eval:check_uridnsbl('{name}')\ntflags {name} net\nscore {name} 1"
              for name in [*(f"B_{one.upper()}" for one in BITS), *(f"C_{one.upper()}" for one in CODES)]]
    (folder / "zones.cf").write_text(SPAMASSASSIN.format(dns=port, documented="\n".join(lines)))
    hits = spamassassin(folder, list(names))
    other = [(name, ours[name], hits[name]) for name in names if ours[name] != hits[name]]
    expect(f"SpamAssassin finds the same, otherwise {other[:3]}", not other)
    gateway.stop()


def spamassassin(folder: Path, names: list[str]) -> dict[str, set[str]]:
    files = []
    for name in names:
        (folder / name).write_bytes(SENDER + mail_with_link(name.encode()))
        files.append(folder / name)
    done = subprocess.run(["perl", "-w", "-e", PERL, folder, *files], capture_output=True, text=True, timeout=300,
                          env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    return dict(zip(names, (symbols(set(line.split(","))) for line in done.stdout.splitlines()), strict=True))
