// An identity provider of oidc-provider, on the port of the first argument, with new keys at each start.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Provider } from 'oidc-provider';

const port = Number(process.argv[2]);
// The access tokens of the other run are opaque, and then the id token counts; terminals sign in by the browser of their machine.
const usual = process.argv[3] === 'jwt';
const groups = { ada: ['platform'], bob: ['guests'] };
const key = (type, options, alg) => ({ ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg, use: 'sig' });

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: 'agent-health', token_endpoint_auth_method: 'none', application_type: 'native', redirect_uris: ['http://127.0.0.1/callback'],
    response_types: ['code'], grant_types: ['authorization_code', 'refresh_token', ...usual ? ['urn:ietf:params:oauth:grant-type:device_code'] : []],
  }],
  jwks: { keys: [key('rsa', { modulusLength: 2048 }, 'RS256'), key('ec', { namedCurve: 'P-256' }, 'ES256')] },
  cookies: { keys: [randomUUID()] },
  claims: { openid: ['sub', 'groups'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  findAccount: (context, id) => ({ accountId: id, claims: async () => ({ sub: id, groups: groups[id] ?? [], preferred_username: id }) }),
  extraTokenClaims: (context, token) => ({ groups: groups[token.accountId] ?? [], preferred_username: token.accountId }),
  issueRefreshToken: async () => true,
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: true },
    deviceFlow: { enabled: usual },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: usual, defaultResource: () => 'urn:agent-health', useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: 'openid profile email', audience: 'urn:agent-health', accessTokenTTL: 300, accessTokenFormat: 'jwt' }),
    },
  },
});
provider.listen(port, '127.0.0.1');
