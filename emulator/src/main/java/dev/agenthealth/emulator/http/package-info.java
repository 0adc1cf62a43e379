/** What all parts of the local run stand on: the account that it pretends to be in, and an HTTP server. */
package dev.agenthealth.emulator.http;
