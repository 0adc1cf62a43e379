/** The audit log: the author and request of each change. An entry is written together with its change, and no route changes or deletes an entry. */
package dev.agenthealth.functions.storage.audit;
