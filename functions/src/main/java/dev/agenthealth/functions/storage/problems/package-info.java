/** Problems: one item for each subject, with what happened and what people did about it. */
package dev.agenthealth.functions.storage.problems;
