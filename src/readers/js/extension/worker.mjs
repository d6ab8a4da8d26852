// Checks the host of each top-level navigation in the filters of a publisher; asks the publisher only about a "maybe".
//
// Manifest V3 cannot hold a navigation: the first request to a listed page may leave before the page of this extension
// takes its place. State that must survive the worker: options in chrome.storage.local, filters in IndexedDB.
import { Filter, Publisher, Rejected, TrustedKeys } from "./bloomgate-filter.mjs";

const DEFAULTS = { url: "http://127.0.0.1:8080", keys: "", onFailure: "open", minutes: 60 };
const ASK_TIMEOUT_MS = 3000;
const MAX_ALLOWED = 100; // Pages that the user went on to, in this session of the browser.

/** The filters in use; made again from IndexedDB when the worker wakes. */
let filters = null;

const options = async () => ({ ...DEFAULTS, ...(await chrome.storage.local.get(DEFAULTS)) });

function database() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("bloomgate", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("filters");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function stored(mode, use) {
  const transaction = (await database()).transaction("filters", mode), request = use(transaction.objectStore("filters"));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** Fetches and verifies the statement and the filters; those in use stay if anything is wrong. */
async function refresh() {
  const { url, keys } = await options();
  const last = await stored("readonly", (store) => store.get("current"));
  const same = last && last.url === url && last.keys === keys;
  const publisher = new Publisher(url, keys ? await TrustedKeys.parse(keys) : null, same ? BigInt(last.counter) : 0n);
  filters = await publisher.fetchFilters("domain");
  const buffers = filters.map((filter) => filter.bytes.buffer);
  await stored("readwrite", (store) => store.put({ url, keys, counter: String(publisher.counter), buffers }, "current"));
}

async function load() {
  if (filters === null) {
    const last = await stored("readonly", (store) => store.get("current"));
    filters ??= last ? last.buffers.map((buffer) => new Filter(buffer, "domain")) : null;
    if (filters === null) await refresh();
  }
  return filters;
}

/** The first listing of a host that Bloomgate knows exactly, or null. */
async function ask(host) {
  const { url } = await options();
  const answer = await fetch(`${url}/v1/check`, {
    method: "POST", credentials: "omit", signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    headers: { "Content-Type": "application/json" }, body: JSON.stringify({ items: [{ kind: "domain", value: host }] }),
  });
  if (!answer.ok) throw new Error(`${url}: status ${answer.status}`);
  const [result] = (await answer.json()).results;
  if (result.verdict === "unresolved") throw new Error(`${url}: ${host} could not be looked up`);
  return result.verdict === "listed" ? result.listings[0] : null;
}

/** Names of one label and addresses of this machine are never listed. */
const isNeverListed = (host) => /^(?:[^.[]+\.?|(?:0|127)\.[0-9.]+|\[::1?\])$/.test(host);

/** Whether a host may be listed, or has no plain canonical form. An address may be in a listed network, which no filter has. */
function isMaybe(known, host) {
  try {
    return /^\[|^[0-9.]+$/.test(host) || known.some((filter) => filter.mightContainValue(host));
  } catch (error) {
    if (error instanceof Rejected) return true;
    throw error;
  }
}

/** Why a page must not be shown, or null. */
async function reason(host) {
  try {
    if (isNeverListed(host) || !isMaybe(await load(), host)) return null;
    const listing = await ask(host);
    return listing && `${host} is listed as ${listing.category} by ${listing.feed} (${listing.key})`;
  } catch (error) {
    return onFailure(error);
  }
}

async function onFailure(error) {
  console.warn(`bloomgate: ${error.message}`);
  return (await options()).onFailure === "closed" ? `This page could not be checked: ${error.message}` : null;
}

async function isAllowed(host) {
  return ((await chrome.storage.session.get({ allowed: [] })).allowed).includes(host);
}

chrome.webNavigation.onBeforeNavigate.addListener(async ({ frameId, tabId, url }) => {
  const host = new URL(url).hostname;
  if (frameId !== 0 || !/^https?:/.test(url) || await isAllowed(host)) return;
  const why = await reason(host);
  if (why) {
    const page = new URLSearchParams({ url, why });
    await chrome.tabs.update(tabId, { url: chrome.runtime.getURL(`blocked.html?${page}`) });
  }
});

chrome.runtime.onMessage.addListener(({ allow, refresh: wanted }, _sender, answer) => {
  const work = allow ? addAllowed(allow) : wanted ? refresh() : Promise.resolve();
  work.then(() => answer({}), (error) => answer({ error: error.message }));
  return true; // The answer follows later.
});

async function addAllowed(host) {
  const { allowed } = await chrome.storage.session.get({ allowed: [] });
  await chrome.storage.session.set({ allowed: [...allowed, host].slice(-MAX_ALLOWED) });
}

async function schedule() {
  chrome.alarms.create("refresh", { periodInMinutes: (await options()).minutes, delayInMinutes: 0.5 });
}

chrome.alarms.onAlarm.addListener(() => refresh().catch((error) => console.warn(`bloomgate: ${error.message}`)));
chrome.runtime.onInstalled.addListener(schedule);
chrome.runtime.onStartup.addListener(schedule);
