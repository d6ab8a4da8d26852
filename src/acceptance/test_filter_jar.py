"""bloomgate-filter, the library for Java: built by its own POM, resolved by another project from a repository, and run with what
that POM names and nothing else."""
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from product import CHECKOUT, jdk
from test_readers import SNAPSHOT, VECTORS, table

POM = CHECKOUT / "src" / "readers" / "java" / "pom.xml"
CONSUMER = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>consumer</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.bloomgate</groupId><artifactId>bloomgate-filter</artifactId><version>1.0.0</version>
  </dependency></dependencies>
</project>"""


def linked_repository(folder: Path) -> Path:
    """A local repository with the files of the usual one, in which other artifacts of this project are its own."""
    usual = Path.home() / ".m2" / "repository"
    (folder / "org" / "bloomgate").mkdir(parents=True)
    for source, target in ((usual, folder), (usual / "org", folder / "org")):
        for entry in source.iterdir() if source.is_dir() else ():
            if entry.name not in ("org", "bloomgate"):
                (target / entry.name).symlink_to(entry)
    return folder


def maven(repository: Path, folder: Path, *goals: str) -> None:
    subprocess.run(["mvn", "-B", "-q", "-ntp", f"-Dmaven.repo.local={repository}", *goals], cwd=folder, check=True)


@pytest.mark.long
def test_the_library_is_resolved_and_runs_alone(tmp_path: Path, expect):
    repository = linked_repository(tmp_path / "repository")
    maven(repository, POM.parent, "install")
    installed = repository / "org" / "bloomgate" / "bloomgate-filter" / "1.0.0"
    names = {jar.name for jar in installed.glob("*.jar")}
    expect(f"jar, sources and documentation: {names}", names == {f"bloomgate-filter-1.0.0{kind}.jar" for kind in ("", "-sources", "-javadoc")})
    consumer = tmp_path / "consumer"
    consumer.mkdir()
    (consumer / "pom.xml").write_text(CONSUMER)
    maven(repository, consumer, "dependency:build-classpath", "-Dmdep.outputFile=class-path")
    class_path = (consumer / "class-path").read_text()
    jars = [Path(jar) for jar in class_path.split(":")]
    expect(f"five jars: {[jar.name for jar in jars]}", len(jars) == 5)
    native = [name for jar in jars for name in zipfile.ZipFile(jar).namelist() if re.search(r"\.(so|dll|dylib|jnilib)$", name)]
    expect(f"no native code: {native}", not native)
    packages = {name.rpartition("/")[0] for name in zipfile.ZipFile(jars[0]).namelist() if name.endswith(".class")}
    expect(f"only filters and keys: {packages}", packages == {f"org/bloomgate/{name}" for name in (
        "filter", "core/bloom", "core/key", "core/text", "core/url", "base/config", "base/net")})

    program = tmp_path / "program"
    subprocess.run([jdk() / "bin" / "javac", "-d", program, "-cp", class_path, Path(__file__).parent / "readers" / "AskFilter.java"], check=True)

    def ask(file: Path, lines: list[str]) -> subprocess.CompletedProcess:
        return subprocess.run([jdk() / "bin" / "java", "-XX:TieredStopAtLevel=1", "-cp", f"{program}:{class_path}", "AskFilter", file],
                              input="".join(f"{line}\n" for line in lines), capture_output=True, text=True)
    for kind in ("domain", "url"):
        for name in ("present", "absent"):
            values = (VECTORS / f"{kind}-{name}.txt").read_text().splitlines()
            said = ask(SNAPSHOT / f"{kind}.bloom", [f"{kind}\t{'http://' if kind == 'url' else ''}{value}" for value in values])
            found = sum(line.startswith("maybe") for line in said.stdout.splitlines())  # The value itself comes first.
            # The canonical form of a URL escapes what the vectors have as it is.
            expected = found == 0 if name == "absent" else found == 1000 if kind == "domain" else found > 100
            expect(f"{name} {kind}: {found} of {len(values)} {said.stderr}", expected)
    values = table("values.tsv")["domain"]
    said = ask(SNAPSHOT / "domain.bloom", [f"domain\t{row[0]}" for row in values]).stdout.splitlines()
    for row, line in zip(values, said, strict=True):
        keys = [word.split(" ", 1)[1] for word in line.split("\t")]
        expect(f"keys of {row[0]}", keys[0] == row[1] and set(keys) <= set(row[1:]))
    for file in sorted((VECTORS / "damaged").iterdir()):
        if file.stem != "kind":  # It is a filter of another kind.
            done = ask(file, [])
            expect(f"{file.name}: {done.stderr[-100:]}", done.returncode == 1 and done.stderr.startswith("rejected: "))


def test_versions_are_those_of_the_program():
    program = (CHECKOUT / "pom.xml").read_text(encoding="utf-8")
    for name, version in re.findall(r"<artifactId>([a-z0-9]+)</artifactId>\s*<version>([\d.]+)</version>", POM.read_text().partition("<build>")[0]):
        assert f"<{name}.version>{version}</{name}.version>" in program, name
