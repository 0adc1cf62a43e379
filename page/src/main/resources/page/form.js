// Forms: labelled fields, errors at the field that they are about, one request at a time.
import { html, nothing, render } from './lit-html.js';
import { ApiError } from './api.js';

let forms = 0;

/** The state of a form that is sent by `request(data)`; `show` draws it. */
export class Form {
  sending = false;
  error = null;
  // What was refused, but for what is about a field of the form.
  rest = [];
  // Messages by the name of the field.
  wrong = {};

  constructor(show, request) {
    this.id = `form-${forms += 1}`;
    this.show = show;
    this.request = request;
  }

  /** Sends the form, unless it is being sent; what is refused stays in it. */
  submit = async event => {
    event.preventDefault();
    if (this.sending) return;
    const element = event.target;
    this.sending = true;
    this.error = null;
    this.wrong = {};
    this.show();
    try {
      await this.request(new FormData(element));
    } catch (e) {
      this.refuse(e, new Set([...element.elements].map(field => field.name).filter(Boolean)));
    }
    this.sending = false;
    this.show();
    if (this.error) (element.querySelector('[aria-invalid=true]') || element.querySelector('[role=alert]'))?.focus();
  };

  refuse(error, names) {
    const rest = [];
    for (const { field, message } of error.errors || []) {
      const name = [...names].filter(n => field === n || field.startsWith(`${n}.`) || field.startsWith(`${n}[`)).sort((a, b) => b.length - a.length)[0];
      if (name) (this.wrong[name] ||= []).push(`${field === name ? '' : `${field.slice(name.length).replace(/^\./, '')} `}${message}`);
      else rest.push(`${field} ${message}`);
    }
    Object.assign(this, { error, rest });
  }

  /** What was refused, but for what is shown at the fields. */
  problem = () => this.error ? html`<div class="failure" role="alert" tabindex="-1">${this.error.errors?.length && !this.rest.length ? 'What is marked is not valid.' : this.error.message}
    ${this.rest.length ? html`<ul>${this.rest.map(text => html`<li>${text}</li>`)}</ul>` : nothing}</div>` : nothing;
}

/** A refusal by the page itself, at a field. */
export const wrong = (field, message) => new ApiError(400, { detail: 'The request was not sent.', errors: [{ field, message }] });

/** A field with its label, what is expected of it, and the rules that its value breaks. */
export function field(form, name, label, { type = 'text', value = '', hint, options, rows, min, max, required, placeholder, change, pattern, step } = {}) {
  const said = form.wrong[name];
  const described = [hint && `${form.id}-${name}-hint`, said && `${form.id}-${name}-wrong`].filter(Boolean).join(' ') || nothing;
  const invalid = said ? 'true' : nothing;
  const input = options
    ? html`<select name=${name} aria-invalid=${invalid} aria-describedby=${described} @change=${change ?? nothing}>
      ${options.map(([code, text]) => html`<option value=${code} ?selected=${code === value}>${text}</option>`)}</select>`
    : rows ? html`<textarea name=${name} rows=${rows} spellcheck="false" aria-invalid=${invalid} aria-describedby=${described} ?required=${required}
        placeholder=${placeholder ?? nothing} .value=${value}></textarea>`
      : html`<input name=${name} type=${type} aria-invalid=${invalid} aria-describedby=${described} ?required=${required} autocomplete="off"
        min=${min ?? nothing} max=${max ?? nothing} step=${step ?? nothing} placeholder=${placeholder ?? nothing} pattern=${pattern ?? nothing} .value=${value ?? ''}>`;
  return html`<div class="field"><label>${label}${input}</label>${notes(form, name, hint)}</div>`;
}

const notes = (form, name, hint) => html`${hint ? html`<small id="${form.id}-${name}-hint">${hint}</small>` : nothing}
  ${form.wrong[name] ? html`<p class="wrong" id="${form.id}-${name}-wrong">${form.wrong[name].join('; ')}</p>` : nothing}`;

/** A box to tick. */
export const box = (form, name, label, checked) => html`<div class="field"><label class="box"><input type="checkbox" name=${name} value="yes" ?checked=${checked}> ${label}</label>${notes(form, name)}</div>`;

/** Boxes of one question; those that are ticked are the values of the name. */
export const boxes = (form, name, legend, choices, chosen) => html`<fieldset aria-describedby=${form.wrong[name] ? `${form.id}-${name}-wrong` : nothing}>
  <legend>${legend}</legend>${choices.map(([value, label]) => html`<label class="box"><input type="checkbox" name=${name} value=${value}
    ?checked=${chosen.includes(value)}> ${label}</label>`)}${notes(form, name)}</fieldset>`;

/** The entries of a text with commas or spaces between them. */
export const listed = text => String(text || '').split(/[\s,]+/).filter(Boolean);

/** A moment as a field for a local time has it; empty without one. */
export function localTime(moment) {
  if (!moment) return '';
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The moment in a field for a local time; null for an empty one. */
export const instant = text => text ? new Date(text).toISOString().replace('.000Z', 'Z') : null;

/** The values that are not empty, so that the API sees no field without a value. */
export const given = values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined && !Number.isNaN(value)));

/** Asks in a dialog before something is done, does it, and shows there why it was refused. Resolves to whether it was done. */
export function asked(title, text, fields, request, look = 'danger') {
  return new Promise(resolve => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', title);
    document.body.append(dialog);
    let done = false;
    const form = new Form(() => draw(), async data => {
      await request(data);
      done = true;
      dialog.close();
    });
    const draw = () => render(html`<form @submit=${form.submit}><h2>${title}</h2><p>${text}</p>${fields(form)}${form.problem()}
        <div class="actions"><button type="button" @click=${() => dialog.close()}>${form.error ? 'Close' : 'Cancel'}</button>
        <button value="yes" class=${look} ?disabled=${form.sending}>${form.sending ? 'One moment …' : title}</button></div></form>`, dialog);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(done);
    });
    draw();
    dialog.showModal();
  });
}
