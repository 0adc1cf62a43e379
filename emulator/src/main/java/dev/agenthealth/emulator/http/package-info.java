/**
 * An HTTP server with bounded resources, and requests and answers in the form in which they are sent. The packages of the AWS services
 * interpret them.
 */
package dev.agenthealth.emulator.http;
