/** Reading and writing JSON trees and numbers. Nothing here knows requests or storage. */
package dev.agenthealth.functions.json;
