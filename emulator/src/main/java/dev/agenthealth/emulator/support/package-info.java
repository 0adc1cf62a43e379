/** JSON, threads, the emulated account and the log, which every part of the emulator uses. It contains no AWS service. */
package dev.agenthealth.emulator.support;
