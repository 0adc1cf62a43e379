/** Requests and responses of API Gateway, request fields, problem documents, paging. Knows no route and no storage. */
package dev.agenthealth.functions.runtime.http;
