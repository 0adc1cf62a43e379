/**
 * The index of due agents, and the attributes of the items in it. The package depends only on the kernel, so that agents, outcomes and
 * health can all write entries.
 */
package dev.agenthealth.functions.storage.due;
