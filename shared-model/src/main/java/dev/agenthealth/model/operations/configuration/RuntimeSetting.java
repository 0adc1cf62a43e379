package dev.agenthealth.model.operations.configuration;

import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.registry.usage.PriceTable;
import java.util.List;
import java.util.Optional;

/**
 * The declaration of a setting of the runtime configuration: its names, its values and its texts. {@link RuntimeSettings} declares each
 * setting once. The HTTP interface, the stored item, the API description, the page and the documents follow from the declaration.
 *
 * @param <T> the type of the value
 */
public sealed interface RuntimeSetting<T> {

    /**
     * The names and texts of a setting.
     *
     * @param path the field of the HTTP interface, such as {@code leases.max_per_key}; at most one dot
     * @param attribute the name of the attribute in the stored item
     * @param isRequired whether a request that replaces the configuration must name the setting. A setting of a later version is optional,
     *     because requests of earlier versions do not name it
     * @param label the label of the field on the page
     * @param meaning the description for the API description, the page and the documents, in whole sentences
     */
    record Description(String path, String attribute, boolean isRequired, String label, String meaning) {

        /** Returns a description of a setting that a request may leave out. Dots of the path become underscores in the stored item. */
        static Description optional(String path, String label, String meaning) {
            return new Description(path, path.replace('.', '_'), false, label, meaning);
        }

        Description asRequired() {
            return new Description(path, attribute, true, label, meaning);
        }

        Description storedAs(String name) {
            return new Description(path, name, isRequired, label, meaning);
        }
    }

    Description description();

    /** Returns the value until an administrator changes it. */
    T standard();

    /** Returns the rule that a value breaks; empty if the value is valid. */
    Optional<String> fault(T value);

    /** Returns the field of the HTTP interface. */
    default String path() {
        return description().path();
    }

    /** Returns the object of the HTTP interface that holds the field; empty if the field is in no such object. */
    default String group() {
        return path().substring(0, Math.max(0, path().indexOf('.')));
    }

    /** Returns the name of the field in its object. */
    default String name() {
        return path().substring(path().indexOf('.') + 1);
    }

    /** A whole number in a range. */
    record WholeNumber(Description description, int min, int max, Integer standard) implements RuntimeSetting<Integer> {

        @Override
        public Optional<String> fault(Integer value) {
            return value < min || value > max ? Optional.of("must be from " + min + " to " + max) : Optional.empty();
        }
    }

    /** True or false. */
    record Flag(Description description, Boolean standard) implements RuntimeSetting<Boolean> {

        @Override
        public Optional<String> fault(Boolean value) {
            return Optional.empty();
        }
    }

    /** Ids of roles; none by default. */
    record RoleIds(Description description, int maxCount) implements RuntimeSetting<List<String>> {

        @Override
        public List<String> standard() {
            return List.of();
        }

        @Override
        public Optional<String> fault(List<String> value) {
            return value.size() > maxCount || !value.stream().allMatch(Ids::isValid)
                    ? Optional.of("must be at most " + maxCount + " ids of roles")
                    : Optional.empty();
        }
    }

    /** Prices of models; none by default. The functions module checks the prices when it reads them. */
    record Prices(Description description) implements RuntimeSetting<PriceTable> {

        @Override
        public PriceTable standard() {
            return PriceTable.NONE;
        }

        @Override
        public Optional<String> fault(PriceTable value) {
            return Optional.empty();
        }
    }

    /** Public JSON Web Keys as texts; none by default. The functions module checks the keys when it reads them. */
    record PublicKeys(Description description, int maxCount) implements RuntimeSetting<List<String>> {

        @Override
        public List<String> standard() {
            return List.of();
        }

        @Override
        public Optional<String> fault(List<String> value) {
            return Optional.empty();
        }
    }
}
