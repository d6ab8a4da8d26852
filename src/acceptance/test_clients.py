"""Clients that openapi-generator makes from /openapi.json by the commands of docs/api.md. Java and TypeScript are compiled
and make their calls, to the gateway and to one that answers with a field more; Go is compiled without a network. Python is
byte-compiled only, as Debian 12 has pydantic 1 and the client needs pydantic 2."""
import json
import os
import re
import shutil
import subprocess
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from product import CHECKOUT, jdk
from webserver import Passing, served

pytestmark = pytest.mark.needs("golang-go", "npm")
TOKEN = "the-token-of-a-client"
CALLS = ("passwords", "check", "decisions", "status", "quarantine")
GENERATOR = "org.openapitools:openapi-generator-cli:7.14.0"
ANNOTATIONS = "jakarta.annotation:jakarta.annotation-api:2.1.1"
JAVA = """
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Main {
    public static void main(String[] arguments) throws Exception {
        for (int i = 1; i < arguments.length; i++) {
            ApiClient client = new ApiClient();
            client.updateBaseUri(arguments[i]);
            client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + arguments[0]));
            OperationApi operation = new OperationApi(client);
            CheckItem item = new CheckItem().kind(Kind.DOMAIN).value("listed.example");
            for (int round = 0; round < 2; round++) {
                System.out.println("passwords " + new PasswordsApi(client).checkPasswords(new PasswordRequest().password("iloveyou")).getWeak());
                System.out.println("check " + new LookupApi(client).check(new CheckRequest().items(List.of(item))).getResults().get(0).getVerdict());
                System.out.println("decisions " + operation.decisions(%(decisions)s).getDecisions().get(0).getAction());
                System.out.println("status " + operation.status(%(status)s).getState());
                System.out.println("quarantine " + operation.quarantine(%(quarantine)s).getMessages().get(0).getFeed());
            }
        }
    }
}
"""
TYPESCRIPT = """
import { Configuration, Kind, LookupApi, OperationApi, PasswordsApi } from './index';
declare const process: { argv: string[] };
declare const Buffer: { from(bytes: ArrayBuffer): { toString(encoding: string): string } };

async function main(token: string, paths: string[]) {
  for (const basePath of paths) {
    const configuration = new Configuration({ basePath, accessToken: token });
    const operation = new OperationApi(configuration);
    for (let round = 0; round < 2; round++) {
      const item = { kind: Kind.Domain, value: 'listed.example' };
      console.log('passwords', (await new PasswordsApi(configuration).checkPasswords({ passwordRequest: { password: 'iloveyou' } })).weak);
      console.log('check', (await new LookupApi(configuration).check({ checkRequest: { items: [item] } })).results[0].verdict);
      console.log('decisions', (await operation.decisions({ limit: 5 })).decisions[0].action);
      console.log('status', (await operation.status()).state);
      const message = (await operation.quarantine()).messages[0];
      console.log('quarantine', message.feed);
      console.log('raw', Buffer.from(await (await operation.downloadQuarantined({ token: message.token })).arrayBuffer()).toString('latin1').includes('/\\u00e9\\u00ff'));
    }
  }
}
main(process.argv[2], process.argv.slice(3));
"""
ANSWERS = {"passwords": "true", "check": "listed", "decisions": "quarantine", "status": "ready", "quarantine": "lists", "raw": "true"}


class NewerGateway(Passing):
    """Passes requests on, and adds a field that no client knows to each answer."""

    def answer(self, status: int, kind: str, content: bytes) -> None:
        if kind == "application/json":
            content = json.dumps({"fieldOfALaterVersion": {"a": [1]}, **json.loads(content)}).encode()
        super().answer(status, kind, content)


def fetched(artifact: str, folder: Path) -> Path:
    """A jar of Maven Central, or of the local repository."""
    subprocess.run(["mvn", "-B", "-q", "-ntp", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"],
                   cwd=folder, check=True, capture_output=True)
    name, version = artifact.split(":")[1:]
    return folder / f"{name}-{version}.jar"


def commands(generator: Path) -> list[list[str]]:
    """Those of the document, with the tools of this machine."""
    block = re.search(r"```sh no-run\n(curl.*?)```", (CHECKOUT / "docs" / "api.md").read_text(encoding="utf-8"), re.S).group(1)
    lines = [line.split() for line in block.splitlines() if line.startswith("java ")]
    assert len(lines) == 4, block
    return [[str(jdk() / "bin" / "java"), "-XX:TieredStopAtLevel=1", *(str(generator) if word.endswith(".jar") else word for word in line[1:])]
            for line in lines]


def run(*command: object, folder: Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, env={**os.environ, **environment})


def java(folder: Path, document: dict, urls: list[str]) -> subprocess.CompletedProcess:
    """Parameters of an operation go by position: all are left out but the limit."""
    def nothing(path: str) -> str:
        references = document["paths"][path]["get"].get("parameters", [])
        return ", ".join("5" if reference["$ref"].endswith("/Limit") else "null" for reference in references)

    (folder / "Main.java").write_text(JAVA % {name: nothing(f"/v1/{name}") for name in ("decisions", "status", "quarantine")}, encoding="utf-8")
    libraries = [*CHECKOUT.joinpath("target", "lib").glob("jackson-*.jar"), fetched(ANNOTATIONS, folder)]
    path = os.pathsep.join(map(str, [folder, *libraries]))
    compiled = run(jdk() / "bin" / "javac", "-proc:none", "-d", folder, "-cp", path, *folder.glob("src/main/java/**/*.java"), "Main.java", folder=folder)
    return compiled if compiled.returncode else run(jdk() / "bin" / "java", "-cp", path, "Main", TOKEN, *urls, folder=folder)


def typescript(folder: Path, urls: list[str]) -> subprocess.CompletedProcess:
    (folder / "main.ts").write_text(TYPESCRIPT, encoding="utf-8")
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, "typescript@5", folder=folder).check_returncode()
    compiled = run("node_modules/.bin/tsc", "--strict", "--target", "es2022", "--module", "commonjs", "--lib", "es2022,dom",
                   "--outDir", "out", "main.ts", folder=folder)
    return compiled if compiled.returncode else run("node", "out/main.js", TOKEN, *urls, folder=folder)


def go(folder: Path) -> subprocess.CompletedProcess:
    shutil.rmtree(folder / "test", ignore_errors=True)
    return run("go", "build", "./...", folder=folder, GOPROXY="off", GOFLAGS="-mod=mod", GOCACHE=str(folder.parent / "go-cache"))


def test_generated_clients_compile_and_take_an_unknown_field(home, processes, expect):
    home.configure(f"http: {{ operators: {{ helpdesk: {{ role: quarantine, token: {TOKEN} }} }} }}",
                   "policy: { recipients: { held.example: { listed: quarantine } } }")
    home.write("domains.txt", "listed.example")
    home.write("passwords.txt", "iloveyou")
    home.feeds("name: lists, kind: domain, format: lines, source: domains.txt, category: phishing",
               "name: passwords, kind: password, format: lines, source: passwords.txt, category: weak")
    home.rebuild()
    gateway = home.gateway()
    kept = gateway.mail(b"listed.example/\xe9\xff", recipient=b"to@held.example")
    expect(f"a message in quarantine: {kept}", kept.startswith("250"))
    expect("a test is not recorded", call(gateway.url, "")["recorded"] is False)
    expect("a message that a client acts on is", call(gateway.url, "?record=true&rcptTo=to@held.example")["recorded"] is True)
    NewerGateway.target = gateway.url
    urls = [gateway.url, f"http://127.0.0.1:{served(NewerGateway).server_port}"]

    document = gateway.get("/openapi.json")
    home.write("openapi.json", document)
    generator = fetched(GENERATOR, home.folder)
    with ThreadPoolExecutor(2) as pool:
        for command, done in zip(commands(generator), pool.map(lambda words: run(*words, folder=home.folder), commands(generator))):
            expect(f"{command[command.index('-g') + 1]} is generated {done.stderr[-2000:] if done.returncode else ''}", done.returncode == 0)
        clients = {
            "Java": pool.submit(java, home.path("client-java"), json.loads(document), urls),
            "TypeScript": pool.submit(typescript, home.path("client-typescript"), urls),
            "Go": pool.submit(go, home.path("client-go")),
            "Python": pool.submit(run, "python3", "-m", "compileall", "-q", ".", folder=home.path("client-python")),
        }
    for name, client in clients.items():
        done = client.result()
        fault = (done.stdout + done.stderr)[-3000:] if done.returncode else ""
        expect(f"{name} is compiled{' and its calls are answered' if name in ('Java', 'TypeScript') else ''} {fault}", done.returncode == 0)
        if name in ("Java", "TypeScript"):
            calls = done.stdout.splitlines()
            expect(f"{name}: {len(calls)} calls, {sorted(set(calls))}", calls == [f"{what} {ANSWERS[what]}" for what in (CALLS if name == "Java" else (*CALLS, "raw"))] * 4)
    gateway.stop()


def call(url: str, query: str) -> dict:
    mail = b"From: a@sender.example\r\n\r\nhttp://listed.example/\r\n"
    headers = {"Content-Type": "message/rfc822", "Authorization": f"Bearer {TOKEN}"}
    with urllib.request.urlopen(urllib.request.Request(f"{url}/v1/messages{query}", mail, headers), timeout=60) as answer:
        return json.load(answer)
