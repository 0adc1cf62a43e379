/** What Lambda's event source mappings are to the deployed system: records of table streams handed to functions. */
package dev.agenthealth.emulator.streams;
