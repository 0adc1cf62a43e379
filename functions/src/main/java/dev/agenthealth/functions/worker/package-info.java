/** Functions that do a part of another function's work. */
package dev.agenthealth.functions.worker;
