"""Sends one suspect after the other, each listed and never met before, and writes a line for each: when it began and ended, and
the reply's code.
usage: suspects.py PORT RECORD KIND COUNT"""
import sys
import time

from product import mail_with_link
from smtp import SmtpClient

port, record, kind, count = sys.argv[1:]
client = SmtpClient(int(port))
with open(record, "a", buffering=1) as out:
    for i in range(int(count)):
        began = time.time()
        reply = client.send(b"a@sender.example", b"b@to.example", mail_with_link(b"%s%d.listed.example" % (kind.encode(), i)))
        out.write(f"{began:f} {time.time():f} {reply[:3]}\n")
        time.sleep(0.03)
