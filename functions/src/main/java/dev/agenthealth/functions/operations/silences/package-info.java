/** Silences: times in which operators are not notified of events about some agents. */
package dev.agenthealth.functions.operations.silences;
