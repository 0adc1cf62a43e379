/** Silences: times in which operators are not notified of what happens to some agents. */
package dev.agenthealth.model.operations.silence;
