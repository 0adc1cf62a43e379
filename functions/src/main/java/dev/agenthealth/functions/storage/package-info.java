/**
 * The stores. Each package below owns the items of one kind of thing: their attribute names, conditions and
 * queries. Only {@code storage.dynamo} spells expressions and calls DynamoDB, and the packages depend on each other in one direction. Rules
 * belong in the model, requests and responses in the packages of the routes.
 */
package dev.agenthealth.functions.storage;
