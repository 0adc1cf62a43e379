/** Silences. */
package dev.agenthealth.functions.storage.silences;
