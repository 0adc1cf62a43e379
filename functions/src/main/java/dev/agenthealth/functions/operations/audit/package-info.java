/** Reads the audit log, for administrators. */
package dev.agenthealth.functions.operations.audit;
