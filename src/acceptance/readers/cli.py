"""The reader in Python as a program: ask FILE KIND | ask-keys FILE KIND | open KIND FILES | keys KIND | hash SEED |
verify DIRECTORY [KEYS.pem TIME]. One answer for each line of stdin."""
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "readers" / "python"))
import bloomgate_filter as reader  # noqa: E402


def main(arguments):
    command, *rest = arguments
    lines = (line.rstrip(b"\n") for line in sys.stdin.buffer)
    start, count = time.perf_counter(), 0
    if command in ("ask", "ask-keys"):
        found = reader.Filter.open(*rest)
        print(f"opened {found.inserted} keys in {time.perf_counter() - start:.3f} s", file=sys.stderr)
        start = time.perf_counter()

    def answer(line):
        if command == "ask-keys":
            return "maybe" if found.might_contain(line) else "absent"
        if command == "hash":
            return f"{reader.xxh3(bytes.fromhex(line.decode()), int(rest[0], 16)):016x}"
        kind = rest[-1]
        value = line if kind == "password" else line.decode()
        try:
            if command == "ask":
                return "maybe" if found.might_contain_value(value) else "absent"
            made = reader.keys(kind, value)
            return "\t".join(key.hex().upper() if kind == "password" else key.decode() for key in made)
        except reader.Rejected as error:
            return f"rejected: {error}"

    if command == "open":
        for path in rest[1:]:
            try:
                print("opened", reader.Filter.open(path, rest[0]).inserted)
            except reader.Rejected as error:
                print(f"rejected: {error}")
        return 0
    if command == "verify":
        snapshot = reader.Snapshot.open(rest[0])
        for entry in snapshot.manifest["filters"]:
            print(snapshot.layer, snapshot.generation, entry["kind"], snapshot.filter(entry["kind"]).inserted)
        return 0
    for line in lines:
        print(answer(line))
        count += 1
    print(f"{count} answers in {time.perf_counter() - start:.3f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except reader.Rejected as rejected:
        print(f"rejected: {rejected}", file=sys.stderr)
        sys.exit(1)
