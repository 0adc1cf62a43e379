/** SQS: queues, a client for them, and Lambda's event source mappings of queues to functions. */
package dev.agenthealth.emulator.sqs;
