/** Credentials for agents behind the gateway, as they are stored: encrypted. */
package dev.agenthealth.functions.storage.credentials;
