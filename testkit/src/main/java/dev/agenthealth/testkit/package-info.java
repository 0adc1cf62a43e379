/**
 * What tests of every module share: clocks, DynamoDB clients that fail, pause, count or record, AWS services inside the test's own JVM, and
 * checks of events and documents against their published schemas. Nothing here knows the functions, and nothing here is deployed.
 */
package dev.agenthealth.testkit;
