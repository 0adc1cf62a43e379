/**
 * Blocks of agents and providers, the counts and the log of their invocations, and the evidence of their reputation. The rules that derive
 * a status or a reputation belong in the model.
 */
package dev.agenthealth.functions.storage.trust;
