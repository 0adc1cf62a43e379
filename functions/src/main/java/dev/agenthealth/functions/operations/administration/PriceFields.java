package dev.agenthealth.functions.operations.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.usage.ModelName;
import dev.agenthealth.model.registry.usage.ModelPrice;
import dev.agenthealth.model.registry.usage.PriceTable;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The prices of models in requests and answers. */
final class PriceFields {

    private static final String CURRENCY = "currency";
    private static final String MODELS = "models";
    private static final String MODEL = "model";
    private static final String INPUT = "input";
    private static final String OUTPUT = "output";
    private static final String CACHED_INPUT = "cached_input";

    private static final int MAX_CURRENCY = 3;

    private PriceFields() {}

    /** Returns the prices; {@link PriceTable#NONE} if the field is absent or null. */
    static PriceTable of(Fields place, String name) {
        Fields table = place.object(name);
        if (!place.has(name)) {
            return PriceTable.NONE;
        }
        table.require(CURRENCY);
        table.require(MODELS);
        String currency = table.text(CURRENCY, MAX_CURRENCY);
        if (!currency.isEmpty() && !currency.matches("[A-Z]{3}")) {
            table.refuse(CURRENCY, "must be a code of three capital letters, such as USD");
        }
        TreeMap<String, ModelPrice> byModel = new TreeMap<>();
        List<Fields> models = table.objects(MODELS, PriceTable.MAX_MODELS);
        for (Fields fields : models) {
            fields.require(MODEL);
            fields.require(INPUT);
            fields.require(OUTPUT);
            String model = fields.text(MODEL, ModelName.MAX_LENGTH);
            BigDecimal input = price(fields, INPUT).orElse(BigDecimal.ZERO);
            ModelPrice price = new ModelPrice(
                    input,
                    price(fields, OUTPUT).orElse(BigDecimal.ZERO),
                    price(fields, CACHED_INPUT).orElse(input));
            if (byModel.put(model, price) != null) {
                fields.refuse(MODEL, "has a price already");
            } else if (!ModelName.of(model, "").model().equals(model)) {
                fields.refuse(MODEL, "must be without control characters and without spaces around it");
            }
            fields.refuseUnknown();
        }
        table.refuseUnknown();
        return byModel.isEmpty() ? PriceTable.NONE : new PriceTable(currency, byModel);
    }

    private static Optional<BigDecimal> price(Fields fields, String name) {
        OptionalDouble given = fields.number(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        BigDecimal price = BigDecimal.valueOf(given.getAsDouble()).stripTrailingZeros();
        boolean fits =
                price.signum() >= 0 && price.compareTo(ModelPrice.MAX) <= 0 && price.scale() <= ModelPrice.MAX_DECIMALS;
        if (!fits) {
            fields.refuse(
                    name,
                    "must be from 0 to " + ModelPrice.MAX + ", with at most " + ModelPrice.MAX_DECIMALS + " decimals");
        }
        return Optional.of(fits ? price : BigDecimal.ZERO);
    }

    /** Puts prices; null without prices. */
    static void put(ObjectNode json, String name, PriceTable prices) {
        if (!prices.isDeclared()) {
            json.putNull(name);
            return;
        }
        ObjectNode table = json.putObject(name).put(CURRENCY, prices.currency());
        ArrayNode models = table.putArray(MODELS);
        prices.byModel().forEach((model, price) -> models.addObject()
                .put(MODEL, model)
                .put(INPUT, price.input())
                .put(OUTPUT, price.output())
                .put(CACHED_INPUT, price.cachedInput()));
    }
}
