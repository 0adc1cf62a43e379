/** Requests and responses of API Gateway, request fields, problem documents and paging. The package depends on no route and no storage. */
package dev.agenthealth.functions.runtime.http;
