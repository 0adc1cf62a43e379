// Verifies what the registry sends: webhooks and commands, signed as Standard Webhooks says.

/** The headers of a request: of `fetch`, or of Node with names in lower case. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether a message was signed with the secret of its target and sent less than `toleranceSeconds` (300) ago. `webhook-id` is the same for every
 * attempt: keep the ids of the last day and drop repeats.
 *
 * @param secret `whsec_…`, as the registry has shown it; for commands that are posted to an agent, `commandSecret` of its bearer token
 * @param body exactly as it was received
 */
export async function verifyWebhook(
  secret: string, headers: HeadersLike, body: string | Uint8Array, options: { toleranceSeconds?: number; now?: number } = {},
): Promise<boolean> {
  const { toleranceSeconds = 300, now = Date.now() } = options;
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const at = header("webhook-timestamp");
  if (!/^\d{1,12}$/.test(at) || Math.abs(now / 1000 - Number(at)) >= toleranceSeconds) return false;
  const encoder = new TextEncoder();
  const prefix = encoder.encode(`${header("webhook-id")}.${at}.`);
  const content = typeof body === "string" ? encoder.encode(body) : body;
  const signed = new Uint8Array(prefix.length + content.length);
  signed.set(prefix);
  signed.set(content, prefix.length);
  const key = await crypto.subtle.importKey("raw", bytes(secret.replace(/^whsec_/, "")), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  for (const one of header("webhook-signature").split(" ")) {
    const [version, signature] = one.split(",");
    try {
      // In constant time.
      if (version === "v1" && signature && (await crypto.subtle.verify("HMAC", key, bytes(signature), signed))) return true;
    } catch {
      // No base64, and so no signature.
    }
  }
  return false;
}

/** The secret of the commands that are posted to an agent, from the bearer token that was set as its credential. */
export function commandSecret(bearerToken: string): string {
  return `whsec_${btoa(bearerToken)}`;
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
}
