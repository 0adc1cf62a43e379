/** Problems: one item for each subject, with its events and the actions of people. */
package dev.agenthealth.functions.storage.problems;
