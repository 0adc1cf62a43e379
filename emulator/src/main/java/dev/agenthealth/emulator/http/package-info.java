/** An HTTP server with bounded resources, and requests and answers as they are sent. What AWS makes of them lives in the packages of its services. */
package dev.agenthealth.emulator.http;
