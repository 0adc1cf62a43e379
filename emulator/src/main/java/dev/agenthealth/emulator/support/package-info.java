/** JSON, threads, the emulated account and the log, which every part of the emulator uses. No part of AWS is here. */
package dev.agenthealth.emulator.support;
