/** Identity providers. Verification of their tokens belongs in {@code identity}. */
package dev.agenthealth.functions.storage.identity;
