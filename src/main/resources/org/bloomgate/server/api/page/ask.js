// Requests to the gateway that the page comes from.
import { sentence } from './format.js';
import { session, logOut } from './session.js';

const TIMEOUT_MILLIS = 30_000;

/* A problem that the gateway answered with, or its silence, which has no status. */
class Fault extends Error {
  constructor(message, status, problem) {
    super(message);
    this.status = status;
    this.problem = problem || {};
  }

  /* Whether the same request may succeed later. */
  get passes() {
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}

/* The path with its query; parameters without a value are left out. */
export function withQuery(path, query) {
  const given = Array.from(query instanceof URLSearchParams ? query : Object.entries(query || {}))
    .filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? path + '?' + new URLSearchParams(given) : path;
}

/* Sends a request; its answer has a status below 400. */
export async function send(method, path, { query, body, type = 'application/json', signal, token = session.token } = {}) {
  const headers = {};
  if (body !== undefined) headers['Content-Type'] = type;
  if (token) headers.Authorization = 'Bearer ' + token;
  const timeout = AbortSignal.timeout(TIMEOUT_MILLIS);
  let response;
  try {
    response = await fetch(withQuery(path, query), {
      method, headers, cache: 'no-cache', credentials: 'omit', signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
    });
  } catch (broken) {
    if (signal && signal.aborted) throw broken;
    throw new Fault(broken.name === 'TimeoutError' ? 'The gateway did not answer within 30 seconds.' : 'The gateway does not answer.');
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401 && token && token === session.token) logOut('No operator has this token any more.');
  throw new Fault(problem.detail ? sentence(problem.detail) : problem.title || 'The gateway answered with status ' + response.status + '.',
    response.status, problem);
}

/* The JSON of the answer; undefined when it has no body. */
export async function ask(method, path, options) {
  const text = await (await send(method, path, options)).text();
  return text ? JSON.parse(text) : undefined;
}
