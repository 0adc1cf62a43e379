/** What every part of the emulator uses: JSON, threads, the account it pretends to be, and its log. No part of AWS lives here. */
package dev.agenthealth.emulator.support;
