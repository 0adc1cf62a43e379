// Identity providers: by which people and workloads sign in, and what they may do.
import { html, nothing } from './lit-html.js';
import { get, send } from './api.js';
import { Form, asked, field, given, listed, wrong } from './form.js';
import { badge, empty, loaded, moment, thing, things } from './parts.js';
import { administration } from './administration.js';

const EXAMPLE = [{ claim: 'groups', value: 'platform', role: 'administrator' }];

/** The JSON in a field; undefined without any. */
function parsed(data, name) {
  try {
    return data.get(name).trim() ? JSON.parse(data.get(name)) : undefined;
  } catch (e) {
    throw wrong(name, 'is no JSON');
  }
}

const pretty = value => JSON.stringify(value, null, 1);
const grants = list => `[\n${list.map(grant => ` ${JSON.stringify(grant)}`).join(',\n')}\n]`;

export function identityProviders(app) {
  let list;
  let error;
  // The provider that is written: null where none is, {} for a new one.
  let written = null;
  let done = '';
  let form;

  const load = async () => {
    try {
      list = (await get('/v1/admin/identity-providers')).identity_providers;
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const path = name => `/v1/admin/identity-providers/${encodeURIComponent(name)}`;
  const save = async data => {
    const name = written.name || data.get('name').trim();
    const algorithms = listed(data.get('algorithms'));
    await send('PUT', path(name), { ...given({ issuer: data.get('issuer').trim(), client_id: data.get('client_id').trim(), scopes: data.get('scopes').trim(), trust_domain: data.get('trust_domain').trim(), jwks: parsed(data, 'jwks') }),
      audiences: listed(data.get('audiences')), grants: parsed(data, 'grants') ?? [], ...(algorithms.length ? { algorithms } : {}) });
    written = null;
    done = `${name} is written. It holds within a minute.`;
    await load();
  };

  const open = provider => {
    // The fields of another provider must not keep what was typed.
    written = null;
    app.show();
    written = provider;
    done = '';
    form = new Form(() => app.show(), save);
    app.show();
  };

  const remove = async name => {
    if (!await asked('Delete', `Tokens of ${name} are refused within a minute.`, () => nothing, () => send('DELETE', path(name)))) return;
    done = `${name} is deleted.`;
    await load();
  };

  const editor = () => html`<section><h2>${written.name ? `Change ${written.name}` : 'New identity provider'}</h2><form @submit=${form.submit}>
    <div class="fields">${written.name ? nothing : field(form, 'name', 'Name', { required: true, placeholder: 'acme' })}
      ${field(form, 'issuer', 'Issuer', { required: true, value: written.issuer, placeholder: 'https://sso.example.com/realms/acme', hint: 'Exactly as tokens name it.' })}
      ${field(form, 'audiences', 'Audiences', { required: true, value: written.audiences?.join(', '), hint: 'With commas; a token is for one of them.' })}
      ${field(form, 'trust_domain', 'SPIFFE trust domain', { value: written.trust_domain, placeholder: 'example.org', hint: 'Of all workloads. Empty: none.' })}
      ${field(form, 'client_id', 'Client by which people sign in', { value: written.client_id, hint: 'A public one, with PKCE. Empty: workloads only.' })}
      ${field(form, 'scopes', 'Scopes', { value: written.scopes, hint: 'Empty: openid profile email.' })}
      ${field(form, 'algorithms', 'Algorithms', { value: written.algorithms?.join(', '), hint: 'Empty: RS256 and ES256.' })}</div>
    ${field(form, 'grants', 'Who may do what (JSON)', { rows: 6, value: grants(written.grants || EXAMPLE), hint: 'The first that matches decides.' })}
    ${field(form, 'jwks', 'Keys (JSON Web Key Set)', { rows: 3, value: written.jwks ? pretty(written.jwks) : '', hint: 'Empty: they are read from the issuer.' })}
    ${form.problem()}<div class="actions"><button class="primary" ?disabled=${form.sending}>Save</button>
      <button type="button" @click=${() => { written = null; app.show(); }}>Cancel</button></div></form></section>`;

  const row = provider => thing({
    name: provider.name,
    state: badge('unknown', provider.client_id ? 'people and workloads' : 'workloads'),
    lines: [html`<bdi>${provider.issuer}</bdi>`, ...provider.grants.map(({ claim, value, role, owner }) => html`<code>${claim}</code> ${value} → ${role}${owner ? ` ${owner}` : ''}`)],
    age: html`since ${moment(provider.created_at)}`,
    actions: html`<button type="button" aria-label=${`Change ${provider.name}`} @click=${() => open(provider)}>Change</button>
      <button type="button" class="danger" aria-label=${`Delete ${provider.name}`} @click=${() => remove(provider.name)}>Delete</button>`,
  });

  const view = () => html`<h1>Sign-in</h1>${administration('identity-providers')}
    <p class="note" role="status">${done}</p>
    ${written ? editor() : html`<div class="actions"><button type="button" class="primary" @click=${() => open({})}>New identity provider</button></div>`}
    ${loaded(list, error, load, found => !found.length ? written ? nothing : empty('No identity provider: API keys alone work.')
      : things('Identity providers', found.map(row)))}`;
  return { title: 'Sign-in', view, refresh: load };
}
