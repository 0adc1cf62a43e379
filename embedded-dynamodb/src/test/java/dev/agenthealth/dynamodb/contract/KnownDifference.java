package dev.agenthealth.dynamodb.contract;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The cases in which an oracle does not behave as AWS's documentation says. */
enum KnownDifference {
    LOCAL_DOES_NOT_CHARGE_READS_OF_NOTHING(
            DynamoDbLocal.NAME,
            Pages.GUIDE + "read-write-operations.html",
            "If you perform a read operation on an item that does not exist, DynamoDB still consumes read throughput",
            "CapacityContract.a_query_without_items_is_charged",
            "CapacityContract.a_batch_of_reads_is_charged_by_item"),
    LOCAL_CHARGES_A_BATCH_BY_ITS_LARGEST_ITEM(
            DynamoDbLocal.NAME,
            Pages.REFERENCE + "API_BatchWriteItem.html",
            "each specified put and delete request consumes the same number of write capacity units whether it is processed in parallel or not",
            "CapacityContract.a_batch_of_deletes_is_charged_by_item"),
    LOCAL_KEEPS_ZEROES(
            DynamoDbLocal.NAME,
            Pages.GUIDE + "HowItWorks.NamingRulesDataTypes.html",
            "Leading and trailing zeroes are trimmed.",
            "ValueContract.numbers_within_lists_and_maps_are_equal_by_value",
            "ValueContract.a_number_in_normal_form_is_returned_by_updates"),
    LOCAL_FILTERS_BEFORE_1_MEGABYTE(
            DynamoDbLocal.NAME,
            Pages.GUIDE + "Query.FilterExpression.html",
            "This limit applies before the filter expression is evaluated.",
            "QueryContract.a_page_ends_at_1_megabyte_before_the_filter"),
    LOCAL_SCANS_AN_INDEX_FOR_WHAT_IT_LACKS(
            DynamoDbLocal.NAME,
            Pages.REFERENCE + "API_Scan.html#DDB-Scan-request-Select",
            "If you query or scan a global secondary index, you can only request attributes that are projected into the index.",
            "RefusalContract.a_scan_of_an_index_for_attributes_that_it_lacks"),
    LOCAL_CHECKS_CONDITIONS_BEFORE_KEYS(
            DynamoDbLocal.NAME,
            Pages.REFERENCE + "API_TransactWriteItems.html",
            "These actions can target items in different tables [...] and no two actions can target the same item.",
            "TransactionContract.the_same_item_twice_is_refused_also_where_a_condition_fails"),
    LOCAL_OMITS_EMPTY_VALUES_FROM_STREAMS(
            DynamoDbLocal.NAME,
            Pages.REFERENCE + "API_streams_StreamRecord.html",
            "The item in the DynamoDB table as it appeared after it was modified.",
            "StreamContract.an_image_has_empty_lists_and_maps"),
    LOCAL_COMPARES_TRANSACTIONS_BY_32_BITS(
            DynamoDbLocal.NAME,
            Pages.REFERENCE + "API_TransactWriteItems.html",
            "If you submit a request with the same client token but a change in other parameters within the 10-minute idempotency window, DynamoDB returns an IdempotentParameterMismatch exception.",
            "TransactionContract.a_token_is_not_accepted_for_a_transaction_with_the_same_hash_code"),
    LOCAL_REFUSES_WHOLE_TRANSACTIONS(
            DynamoDbLocal.NAME,
            Pages.REFERENCE + "API_TransactWriteItems.html#API_TransactWriteItems_Errors",
            "Validation Error: Code: ValidationError; Messages: [...] Type mismatch for attribute to update.",
            "TransactionContract.an_update_that_fails_on_the_item_cancels_the_transaction");

    private final String backend;
    private final String page;
    private final String sentence;
    private final List<String> tests;

    /**
     * @param sentence the sentence of AWS's documentation that decides
     * @param tests the cases, each as class, dot and method, and for a row of a table its display name in parentheses
     */
    KnownDifference(String backend, String page, String sentence, String... tests) {
        this.backend = backend;
        this.page = page;
        this.sentence = sentence;
        this.tests = List.of(tests);
    }

    /** Where the pages are. */
    private static final class Pages {
        static final String GUIDE = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/";
        static final String REFERENCE = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/";
    }

    /** Why a case is expected to fail; empty where it is not. */
    static Optional<String> reason(String backend, String test) {
        if (backend.equals(Endpoint.MOTO)) {
            return MotoDifferences.reason(test);
        }
        return Arrays.stream(values())
                .filter(difference -> difference.backend.equals(backend) && difference.tests.contains(test))
                .findFirst()
                .map(difference -> backend + " differs from AWS's documentation: \"" + difference.sentence + "\" ("
                        + difference.page + ")");
    }
}
