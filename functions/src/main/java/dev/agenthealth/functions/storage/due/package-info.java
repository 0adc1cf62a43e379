/**
 * The index of due agents: which attributes an item has that stands in it. It depends on nothing but the kernel, so that agents, outcomes and
 * health can all write entries.
 */
package dev.agenthealth.functions.storage.due;
