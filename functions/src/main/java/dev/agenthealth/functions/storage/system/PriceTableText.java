package dev.agenthealth.functions.storage.system;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.model.registry.usage.ModelPrice;
import dev.agenthealth.model.registry.usage.PriceTable;
import java.math.BigDecimal;
import java.util.TreeMap;

/** Stores prices of models in a text: a line with the currency, and a line for each model with its prices and its name. */
final class PriceTableText {

    /** The type of the attribute. */
    static final AttributeType<PriceTable> TYPE = TEXT.as(PriceTable.NONE, PriceTableText::of, PriceTableText::read);

    private static final String LINE = "\n";
    private static final String SEPARATOR = " ";
    private static final int PARTS = 4;
    private static final int MODEL = 3;

    private PriceTableText() {}

    private static String of(PriceTable prices) {
        StringBuilder text = new StringBuilder(prices.currency());
        prices.byModel().forEach((model, price) -> text.append(LINE)
                .append(String.join(
                        SEPARATOR,
                        price.input().toPlainString(),
                        price.output().toPlainString(),
                        price.cachedInput().toPlainString(),
                        model)));
        return text.toString();
    }

    private static PriceTable read(String text) {
        String[] lines = text.split(LINE);
        TreeMap<String, ModelPrice> byModel = new TreeMap<>();
        for (int line = 1; line < lines.length; line++) {
            String[] parts = lines[line].split(SEPARATOR, PARTS);
            byModel.put(
                    parts[MODEL],
                    new ModelPrice(new BigDecimal(parts[0]), new BigDecimal(parts[1]), new BigDecimal(parts[2])));
        }
        return new PriceTable(lines[0], byModel);
    }
}
