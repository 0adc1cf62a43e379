/** What agents declare, beside what was accepted of it. */
package dev.agenthealth.functions.storage.declarations;
