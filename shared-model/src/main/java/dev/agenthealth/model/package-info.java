/** What the words of the system mean: records and pure rules, without I/O and without a clock of their own. */
package dev.agenthealth.model;
