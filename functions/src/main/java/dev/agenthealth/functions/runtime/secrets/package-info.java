/**
 * Encryption of secrets that operators entrust to the registry and no response returns: signing secrets, addresses with tokens, credentials
 * of agents.
 */
package dev.agenthealth.functions.runtime.secrets;
