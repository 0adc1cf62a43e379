// Signing in by an identity provider: authorization code with PKCE. What it gives stays in this tab, or on this device if that was chosen.

import { item, prefix, registry, stored } from './registry.js';

const SESSION = item(stored('agent-health-session'));
const LOCK = stored('agent-health-refresh');
const STARTED = stored('agent-health-sign-in');
// A token is replaced so long before its end.
const EARLY_MILLIS = 30_000;
const TIMEOUT_MILLIS = 15_000;

/** Why a sign-in did not succeed. */
export class SignInError extends Error {
  constructor(message, isFinal) {
    super(message);
    this.isFinal = isFinal;
  }
}

const read = name => JSON.parse(sessionStorage.getItem(name) || 'null');
const write = (name, value) => sessionStorage.setItem(name, JSON.stringify(value));

export const session = { get: () => JSON.parse(SESSION.get() || 'null'), clear: SESSION.clear };

async function request(path, body) {
  let response;
  let json = {};
  try {
    response = await fetch(`${prefix}/api/v1/sign-in${path}`, {
      method: body ? 'POST' : 'GET',
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body && JSON.stringify(body),
      keepalive: Boolean(body),
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    });
    json = await response.json();
  } catch (e) {
    if (!response || response.ok) throw new SignInError('The registry cannot be reached.', false);
  }
  if (!response.ok) throw new SignInError(json.detail || `The registry answered ${response.status}.`, response.status === 400 || response.status === 404);
  return json;
}

/** The providers by which people sign in. */
export const providers = async () => (await request('')).providers;

const encoded = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const random = () => encoded(crypto.getRandomValues(new Uint8Array(32)));
const here = () => `${registry}/`;

/** Leaves the page for the provider's, which comes back with a code. The session lasts for the tab, or stays on the device. */
export async function begin(provider, keep) {
  if (!provider.authorization_endpoint) throw new SignInError(`${provider.name} does not answer. Try again later.`, true);
  if (!crypto.subtle) throw new SignInError('Browsers sign in over HTTPS only. Open this page by its HTTPS address.', true);
  const started = { provider: provider.name, issuer: provider.issuer, verifier: random(), state: random(), view: location.hash, keep,
    endSession: provider.end_session_endpoint && `${provider.end_session_endpoint}${provider.end_session_endpoint.includes('?') ? '&' : '?'}client_id=${encodeURIComponent(provider.client_id)}` };
  write(STARTED, started);
  const address = new URL(provider.authorization_endpoint);
  Object.entries({
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri: here(),
    scope: provider.scopes,
    state: started.state,
    code_challenge: encoded(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(started.verifier))),
    code_challenge_method: 'S256',
  }).forEach(([name, value]) => address.searchParams.set(name, value));
  location.assign(address);
}

/** Takes the code with which the provider came back out of the address, and exchanges it for a session. Returns whether there was one. */
export async function finish() {
  const came = new URLSearchParams(location.search);
  if (!came.has('state')) return false;
  const started = read(STARTED);
  sessionStorage.removeItem(STARTED);
  history.replaceState(null, '', location.pathname + (started?.view || '#/'));
  // An answer for another tab, or of another provider (RFC 9207).
  if (started?.state !== came.get('state') || came.has('iss') && came.get('iss') !== started.issuer) {
    throw new SignInError('This sign-in did not begin in this tab. Sign in again.', true);
  }
  if (!came.has('code')) throw new SignInError(`The identity provider refuses: ${came.get('error_description') || came.get('error') || 'no reason given'}`, true);
  await exchange({ provider: started.provider, id: started.state, endSession: started.endSession, keep: started.keep },
    { grant_type: 'authorization_code', code: came.get('code'), code_verifier: started.verifier, redirect_uri: here() });
  return true;
}

async function exchange(holder, grant) {
  const answer = await request(`/${encodeURIComponent(holder.provider)}/token`, grant);
  const next = { ...holder, token: answer.token, endsAt: Date.now() + answer.expires_in * 1000, refreshToken: answer.refresh_token || holder.refreshToken };
  // Signed out meanwhile: the answer is of no use.
  if (grant.grant_type === 'refresh_token' && session.get()?.id !== holder.id) return '';
  SESSION.set(JSON.stringify(next), next.keep);
  return next.token;
}

/** Ends the session at its provider, as far as that offers it; nothing waits for it. */
export const revoke = held => request(`/${encodeURIComponent(held.provider)}/revoke`, { token: held.refreshToken || held.token }).catch(() => {});

let refreshing = null;

// One tab after another: a refresh token may be good for one use.
const alone = action => navigator.locks ? navigator.locks.request(LOCK, action) : action();

async function refreshed() {
  const now = session.get();
  if (!now || Date.now() < now.endsAt - EARLY_MILLIS) return now?.token || '';
  return exchange(now, { grant_type: 'refresh_token', refresh_token: now.refreshToken });
}

/** The token of the session, a new one where it is about to end; empty without a session or where the provider ended it. */
export async function token() {
  const now = session.get();
  if (!now) return '';
  if (Date.now() < now.endsAt - EARLY_MILLIS || !now.refreshToken) return now.token;
  refreshing ??= alone(refreshed).finally(() => { refreshing = null; });
  try {
    return await refreshing;
  } catch (e) {
    // While the provider is down, the token serves until its end.
    return e.isFinal ? '' : now.token;
  }
}
