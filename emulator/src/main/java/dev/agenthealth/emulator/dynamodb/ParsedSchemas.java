package dev.agenthealth.emulator.dynamodb;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;

/**
 * The schemas of tables that DynamoDB Local has parsed. It parses a table's schema, which it keeps as JSON, at least twice for each request,
 * and that takes a third of its time. Thread-safe.
 */
final class ParsedSchemas extends DelegatingDeserializer {

    private static final long serialVersionUID = 1;

    /** More than the tables of one process; each has another text after each of its changes. */
    private static final int MAX_TEXTS = 1_000;

    private static final int USUAL_BYTES = 8 * 1024;

    private final transient Map<Text, Parsed> byText = new ConcurrentHashMap<>();

    private ParsedSchemas(JsonDeserializer<?> parsing) {
        super(parsing);
    }

    /**
     * Lets DynamoDB Local parse each schema once. Call it before the first database is opened.
     *
     * @throws IllegalStateException where another version of DynamoDB Local reads schemas in another way
     */
    static void keep() {
        SimpleModule module = new SimpleModule("parsed schemas");
        module.setDeserializerModifier(new BeanDeserializerModifier() {
            private static final long serialVersionUID = 1;

            @Override
            public JsonDeserializer<?> modifyDeserializer(
                    DeserializationConfig config, BeanDescription type, JsonDeserializer<?> parsing) {
                return type.getBeanClass() == TableSchemaInfo.class ? new ParsedSchemas(parsing) : parsing;
            }
        });
        for (String reader : List.of("SQLiteDBAccess", "SQLiteDBAccessJob")) {
            try {
                Field mapper = Class.forName(TableSchemaInfo.class.getPackageName() + "." + reader)
                        .getDeclaredField("MAPPER");
                mapper.setAccessible(true);
                ((ObjectMapper) mapper.get(null)).registerModule(module);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("DynamoDB Local reads the schemas of tables in an unknown way", e);
            }
        }
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> parsing) {
        return new ParsedSchemas(parsing);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        ByteArrayOutputStream rest = new ByteArrayOutputStream(USUAL_BYTES);
        rest.write('{');
        parser.releaseBuffered(rest);
        Text text = new Text(rest.toByteArray());
        Parsed known = byText.get(text);
        if (known != null && known.isUnchanged()) {
            return known.schema;
        }
        try (JsonParser again = parser.getCodec().getFactory().createParser(text.bytes)) {
            again.nextToken();
            TableSchemaInfo schema = (TableSchemaInfo) super.deserialize(again, context);
            if (byText.size() >= MAX_TEXTS) {
                byText.clear();
            }
            byText.put(text, new Parsed(schema));
            return schema;
        }
    }

    /** The JSON of a schema. Its length is a good hash, and a faster one than that of all bytes. */
    private record Text(byte[] bytes) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Text text && Arrays.equals(bytes, text.bytes);
        }

        @Override
        public int hashCode() {
            return bytes.length;
        }
    }

    /** A schema and what a change of its table, which works on this object, changes in it. */
    private record Parsed(TableSchemaInfo schema, Object attributes, Object indexes, int indexCount, String expiry) {

        Parsed(TableSchemaInfo schema) {
            this(
                    schema,
                    schema.getAttributes(),
                    schema.getGsiDescList(),
                    count(schema),
                    schema.getTimeToLiveAttributeName());
        }

        boolean isUnchanged() {
            return schema.getAttributes() == attributes
                    && schema.getGsiDescList() == indexes
                    && count(schema) == indexCount
                    && Objects.equals(schema.getTimeToLiveAttributeName(), expiry);
        }

        private static int count(TableSchemaInfo schema) {
            return schema.getSqliteIndex().size();
        }
    }
}
