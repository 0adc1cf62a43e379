/** The audit log: who changed what by which request. Entries are written with the change, and no route changes or deletes one. */
package dev.agenthealth.functions.storage.audit;
