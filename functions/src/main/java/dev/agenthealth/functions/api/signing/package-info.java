/** Signatures of agent cards (A2A 1.0 §8.4), for cards that the registry serves and cards that it fetches. */
package dev.agenthealth.functions.api.signing;
