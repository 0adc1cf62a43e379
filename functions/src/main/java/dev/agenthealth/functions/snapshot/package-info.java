/** What functions do before a snapshot is taken of their process, from which Lambda starts instances later. */
package dev.agenthealth.functions.snapshot;
