// The reader in JavaScript as a program: ask FILE KIND | ask-keys FILE KIND | open KIND FILES | keys KIND |
// hash SEED | verify DIRECTORY KEYS.pem TIME. One answer for each line of stdin.
import { readFileSync } from "node:fs";
import * as reader from "../../readers/js/bloomgate-filter.mjs";

const buffer = (path) => Uint8Array.from(readFileSync(path)).buffer;
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(3);

async function keys(kind, line) {
  return kind === "password" ? [await reader.passwordKey(line)] : reader.keys(kind, line.toString());
}

async function verify([directory, pem, time]) {
  const trusted = await reader.TrustedKeys.parse(readFileSync(pem, "utf8"));
  const statement = await reader.parseStatement(buffer(`${directory}/../announced`), trusted, new Date(time));
  const signature = readFileSync(`${directory}/manifest.json.sig`, "latin1");
  const manifest = await reader.parseManifest(buffer(`${directory}/manifest.json`), signature, trusted);
  if (!statement.layers.some(({ generation }) => generation === manifest.generation)) throw new reader.Rejected("another generation");
  for (const { kind } of manifest.filters) {
    const filter = await reader.openFilter(manifest, kind, async (path) => buffer(`${directory}/${path}`));
    console.log(manifest.layer, manifest.generation, kind, filter.inserted);
  }
}

function open(kind, path) {
  try {
    return `opened ${new reader.Filter(buffer(path), kind).inserted}`;
  } catch (error) {
    if (!(error instanceof reader.Rejected)) throw error;
    return `rejected: ${error.message}`;
  }
}

async function prepare(command, rest) {
  if (command === "open") return rest.slice(1).forEach((path) => console.log(open(rest[0], path)));
  if (command === "verify") return verify(rest);
  if (command === "hash") {
    return (line) => reader.xxh3(Uint8Array.from(Buffer.from(line.toString(), "hex")), BigInt(`0x${rest[0]}`)).toString(16).padStart(16, "0");
  }
  if (command === "keys") {
    return async (line) => (await keys(rest[0], line)).map((key) => rest[0] === "password" ? hex(key).toUpperCase() : Buffer.from(key)).join("\t");
  }
  const start = performance.now();
  const filter = new reader.Filter(buffer(rest[0]), rest[1]);
  console.error(`opened ${filter.inserted} keys in ${seconds(start)} s`);
  if (command === "ask-keys") return (line) => filter.mightContain(line) ? "maybe" : "absent";
  return (line) => filter.mightContainValue(line.toString()) ? "maybe" : "absent";
}

try {
  const [command, ...rest] = process.argv.slice(2);
  const answer = await prepare(command, rest);
  const answers = [], start = performance.now(), input = answer ? readFileSync(0) : Buffer.of();
  for (let at = 0, end; (end = input.indexOf(10, at)) >= 0; at = end + 1) {
    try {
      answers.push(await answer(input.subarray(at, end)));
    } catch (error) {
      if (!(error instanceof reader.Rejected)) throw error;
      answers.push(`rejected: ${error.message}`);
    }
  }
  process.stdout.write(answers.map((line) => `${line}\n`).join(""));
  console.error(`${answers.length} answers in ${seconds(start)} s`);
} catch (error) {
  if (!(error instanceof reader.Rejected)) throw error;
  console.error(`rejected: ${error.message}`);
  process.exitCode = 1;
}
