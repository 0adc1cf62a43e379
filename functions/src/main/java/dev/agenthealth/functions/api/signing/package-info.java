/** Signatures of agent cards (A2A 1.0 §8.4): of those that the registry serves, and of those that it fetches. */
package dev.agenthealth.functions.api.signing;
