import TourModel
import TourWire
