/** API keys and revoked keys. Authentication belongs in {@code access}. */
package dev.agenthealth.functions.storage.keys;
